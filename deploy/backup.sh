#!/bin/sh
# Dumps the PostgreSQL database that DATABASE_URL names, and checks the dump by restoring it into a second database and
# counting its tables. Fails loudly and keeps the old dumps if anything is wrong.
# The pictures that the restored copy names are saved to the folder's own `pictures`, each compared with its hash.
# If BACKUP_S3_URL is set, upload.sh also copies the dump and new pictures to that bucket.
# Usage: backup.sh FOLDER [HOW MANY TO KEEP]
set -eu
folder=$1 keep=${2:-14}
url=${DATABASE_URL:?names the database to back up}
case $url in postgres*) ;; *) echo "backup: DATABASE_URL isn't PostgreSQL's; see docs/operating.md for SQLite" >&2; exit 1 ;; esac
query=${url#"${url%%\?*}"} plain=${url%%\?*}
check=courseiva_restore_check_$$
check_url=${plain%/*}/$check$query
umask 077
mkdir -p "$folder"
file=$folder/courseiva-$(date -u +%Y-%m-%dT%H%M%SZ).dump
trap 'rm -f "$file.part"; dropdb --if-exists --maintenance-db="$url" "$check" 2>/dev/null || true' EXIT

counts() { # the rows of each of the site's tables, always in the same order
    psql -XAtq "$1" -c "SELECT format('SELECT %L, count(*) FROM %I;', tablename, tablename) FROM pg_tables
        WHERE schemaname = 'public' AND tablename <> 'django_session' ORDER BY tablename" | psql -XAtq "$1"
}

pg_dump --format=custom --file="$file.part" --dbname="$url"
createdb --maintenance-db="$url" "$check"
pg_restore --exit-on-error --no-owner --dbname="$check_url" "$file.part"
restored=$(counts "$check_url")
tables=$(echo "$restored" | grep -c . || true)
migrations=$(echo "$restored" | { grep '^django_migrations|' || true; } | cut -d'|' -f2)
if [ "$tables" -lt 20 ] || [ "${migrations:-0}" -lt 20 ]; then
    echo "backup: the restored copy has $tables tables and ${migrations:-no} migrations: not kept" >&2
    exit 1
fi
mv "$file.part" "$file"
ls -1t "$folder"/courseiva-*.dump | tail -n +$((keep + 1)) | xargs -r rm --
echo "backup: $file, restored and counted: $tables tables, $(echo "$restored" | awk -F'|' '{n += $2} END {print n}') rows"
if [ -n "${BACKUP_S3_URL:-}" ]; then "$(dirname "$0")/upload.sh" "$file"; fi

# Last, so that a damaged picture doesn't cost us the dump.
names() { psql -XAtq "$check_url" -c "SELECT name FROM questions_picture ORDER BY name"; }

if [ "$(names | grep -c .)" -eq 0 ]; then exit 0; fi
pictures=$folder/pictures uploaded=$folder/pictures-uploaded site=$(dirname "$0")/..
saved=0
"${PYTHON:-$site/.venv/bin/python}" "$site/manage.py" pictures save "$pictures" || saved=1
touch "$uploaded"
names | while read -r name; do
    if [ "$(sha256sum <"$pictures/$name" | cut -c1-32)" != "${name%%-*}" ]; then
        echo "backup: the picture $name is missing or damaged" >&2
        exit 1
    fi
    if [ -n "${BACKUP_S3_URL:-}" ] && ! grep -qxF "$name" "$uploaded"; then
        BACKUP_S3_URL=${BACKUP_S3_URL%/}/pictures "$(dirname "$0")/upload.sh" "$pictures/$name"
        echo "$name" >>"$uploaded"
    fi
done
exit $saved
