"""Static files under names that contain their content's hash, in every mode."""

from whitenoise.storage import CompressedManifestStaticFilesStorage


class HashedStorage(CompressedManifestStaticFilesStorage):
    """Hashed names with DEBUG on as well, and inside the import lines of our JavaScript modules."""

    support_js_module_import_aggregation = True

    def url(self, name: str | None, force: bool = False) -> str:
        """The hashed address of a file; Django alone would give the plain one while DEBUG is on."""
        return super().url(name, force=True)
