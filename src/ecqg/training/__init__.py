"""What every trained model needs, from its device and precision to checkpoints and weights."""
