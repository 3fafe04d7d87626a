"""A data set plugin, which this version does not run."""
