"""Run folders of Stanford's HELM: five files by the run's name."""
