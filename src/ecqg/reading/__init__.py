"""The extractive reader of the round trip, with a null answer and calibrated confidence."""
