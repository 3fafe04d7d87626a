"""Records of Every Eval Ever: published and measured results in one schema, with or without items."""
