"""Dual encoders: starting weights, loss, training, encoding (thesis sec. 2.3, DPR)."""
