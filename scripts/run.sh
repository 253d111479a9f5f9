#!/bin/sh
# Starts the site on this machine to try it out: DEBUG on, SQLite unless DATABASE_URL says otherwise, one process.
# The shell becomes gunicorn (exec), so `manage.py periodic` is gunicorn's child, and it ends when its parent is gone.
set -eu
cd "$(dirname "$0")/.."
export DEBUG=1 PORT="${PORT:-8000}" PYTHONUNBUFFERED=1
python=.venv/bin/python

"$python" scripts/prepare.py
"$python" manage.py periodic --parent $$ &
exec "$python" -m gunicorn
