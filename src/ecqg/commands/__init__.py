"""The commands for people, a file for each thing they do; `ecqg.cli` puts them together.

Nothing heavy is imported before a command runs: `ecqg --help` must not wait for torch.
"""
