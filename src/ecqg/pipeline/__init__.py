"""Running the stages of dvc.yaml."""
