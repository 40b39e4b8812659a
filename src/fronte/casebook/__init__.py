"""The casebook: cases that show a rule at work on a tiny board. docs/casebook.md says how to write one."""

from fronte.casebook.core import Case, CaseFile, Outcome, begin, coverage, read_file, run_case, run_file, run_files

__all__ = ["Case", "CaseFile", "Outcome", "begin", "coverage", "read_file", "run_case", "run_file", "run_files"]
