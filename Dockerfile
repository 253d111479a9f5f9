FROM python:3.11-slim

ENV PYTHONUNBUFFERED=1 PYTHONDONTWRITEBYTECODE=1 BIND=0.0.0.0 PORT=8000
WORKDIR /app

COPY requirements.lock .
RUN pip install --no-cache-dir --require-hashes -r requirements.lock

COPY . .
# Collecting static files needs no secret and no database; this key is never used to serve.
RUN SECRET_KEY=only-for-the-build-and-never-used-to-serve ALLOWED_HOSTS=localhost python manage.py collectstatic --noinput --verbosity 0 \
    && useradd --system --uid 10001 --no-create-home courseiva \
    && install -d -o 10001 /pictures

# A number, so that an orchestrator can see that it is not root. The site writes nothing below /app; a new volume at
# /pictures belongs to it.
USER 10001
EXPOSE 8000
CMD ["gunicorn"]
