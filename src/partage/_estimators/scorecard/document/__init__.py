"""The document of a scorecard: what a validator reads, as a page or as a workbook."""

from partage._estimators.scorecard.document.write import write_document

__all__ = ["write_document"]
