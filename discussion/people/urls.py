from __future__ import annotations

from discussion.people.appeals import urls as appeals
from discussion.people.authors import urls as authors
from discussion.people.inbox import urls as inbox
from discussion.people.takedowns import urls as takedowns

urlpatterns = [*inbox.urlpatterns, *appeals.urlpatterns, *authors.urlpatterns, *takedowns.urlpatterns]
