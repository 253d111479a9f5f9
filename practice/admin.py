"""Practice in the admin: what staff can see and do."""

from practice.learners.admin import LearnerAdmin
from practice.regrade.admin import RegradeAdmin
from practice.regrade.reopening.admin import ReopeningAdmin
from practice.sessions.ending.outages.admin import OutageAdmin
from practice.start.rationing.admin import GuestNetworkAdmin

__all__ = ["GuestNetworkAdmin", "LearnerAdmin", "OutageAdmin", "RegradeAdmin", "ReopeningAdmin"]
