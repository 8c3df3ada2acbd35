"""Where a passage encoder looks: the last layer's [CLS] attention, by token and by entity."""
