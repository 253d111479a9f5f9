from discussion.screening.admin import ListEntryAdmin

__all__ = ["ListEntryAdmin"]
