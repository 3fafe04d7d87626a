"""How a number was obtained and what it may stand beside: settings, comparable groups, tables."""
