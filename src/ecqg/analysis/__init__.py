"""One file per table or figure of the papers that is no stage's own result."""
