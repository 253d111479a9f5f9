"""Static files under names that contain their content's hash, in every mode."""

from whitenoise.storage import CompressedManifestStaticFilesStorage


class HashedStorage(CompressedManifestStaticFilesStorage):
    """Hashed names with DEBUG on as well, and inside the import lines of our own JavaScript modules."""

    support_js_module_import_aggregation = True
    # Django's patterns for import lines, for static/js alone: packages ship scripts whose comments look like imports.
    _js_module_import_aggregation_patterns = (
        "js/*.js",
        CompressedManifestStaticFilesStorage._js_module_import_aggregation_patterns[1],
    )

    def url(self, name: str | None, force: bool = False) -> str:
        """The hashed address of a file; Django alone would give the plain one while DEBUG is on."""
        return super().url(name, force=True)
