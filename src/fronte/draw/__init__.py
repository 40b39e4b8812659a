"""Pictures of boards, made from the files of a data pack."""
