"""Results and details of lighteval: a JSON file of numbers, and Parquet files of samples."""
