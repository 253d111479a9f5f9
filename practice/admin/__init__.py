"""What staff see and do of practice in the admin."""

from practice.admin.learners import LearnerAdmin
from practice.admin.networks import GuestNetworkAdmin
from practice.admin.regrades import RegradeAdmin

__all__ = ["GuestNetworkAdmin", "LearnerAdmin", "RegradeAdmin"]
