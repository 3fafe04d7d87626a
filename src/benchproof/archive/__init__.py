"""The immutable store: runs are opened, journalled, sealed, loaded and verified here."""
