#!/bin/sh
# Puts a file into an S3-compatible bucket, reads it back and compares. Needs curl 7.87 or later.
# BACKUP_S3_URL names server, bucket and folder: https://s3.eu-central-1.amazonaws.com/bucket/courseiva
# BACKUP_S3_KEY, BACKUP_S3_SECRET: the key. BACKUP_S3_REGION: us-east-1 unless set.
# Usage: upload.sh FILE
set -eu
file=$1
url=${BACKUP_S3_URL:?names server, bucket and folder} url=${url%/}/$(basename "$file")
: "${BACKUP_S3_KEY:?}" "${BACKUP_S3_SECRET:?}"

checksum() { sha256sum | cut -d' ' -f1; }

ask() { # the key goes through standard input: everybody on this machine can read arguments
    printf 'user = "%s:%s"\n' "$BACKUP_S3_KEY" "$BACKUP_S3_SECRET" |
        curl --config - --aws-sigv4 "aws:amz:${BACKUP_S3_REGION:-us-east-1}:s3" --silent --show-error --fail "$@"
}

wanted=$(checksum <"$file")
ask --header "x-amz-content-sha256: $wanted" --upload-file "$file" "$url" >/dev/null
if [ "$(ask --header "x-amz-content-sha256: $(checksum </dev/null)" "$url" | checksum)" != "$wanted" ]; then
    echo "backup: $url doesn't hold what was sent" >&2
    exit 1
fi
echo "backup: $url, read back and compared"
