"""What every trained model needs: device, precision, optimiser, schedule, loss log, weights."""
