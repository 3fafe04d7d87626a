"""Result files of MTEB, one a task: scores by split and subset, without items; also those before 1.11."""
