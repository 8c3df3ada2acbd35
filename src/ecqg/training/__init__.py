"""What every trained model here needs: device, precision, optimiser, schedule, loss log."""
