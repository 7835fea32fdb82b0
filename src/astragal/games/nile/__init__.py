"""Nile: one river, laid together by two to four players."""
