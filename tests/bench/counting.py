"""Reports the number of a request's SQL statements, including BEGIN and COMMIT, if the request asks for it."""

from collections.abc import Callable

from django.db import connection
from django.http import HttpRequest, HttpResponse
from django.test.utils import CaptureQueriesContext

View = Callable[[HttpRequest], HttpResponse]


def count_statements(get_response: View) -> View:
    """Add the count to a response, as middleware; a request that doesn't ask for it costs nothing extra."""

    def middleware(request: HttpRequest) -> HttpResponse:
        if "X-Count-Statements" not in request.headers:
            return get_response(request)
        with CaptureQueriesContext(connection) as statements:
            response = get_response(request)
        response["X-Statements"] = str(len(statements))
        return response

    return middleware
