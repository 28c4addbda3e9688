"""Manual pages and completions, made from the help of the programs and the schema of the configuration."""
