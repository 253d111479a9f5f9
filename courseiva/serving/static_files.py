"""Static files under names that contain their content's hash, in every mode."""

from django.core.files.base import ContentFile, File
from django.utils.encoding import force_bytes
from rjsmin import jsmin
from whitenoise.storage import CompressedManifestStaticFilesStorage


class HashedStorage(CompressedManifestStaticFilesStorage):
    """Hashed names with DEBUG on as well, and inside the import lines of our own JavaScript modules."""

    support_js_module_import_aggregation = True
    # Django's patterns for import lines, only for static/js: packages ship scripts whose comments look like imports.
    _js_module_import_aggregation_patterns = (
        "js/*.js",
        CompressedManifestStaticFilesStorage._js_module_import_aggregation_patterns[1],
    )

    def _save(self, name: str, content: File) -> str:
        """Strip comments and indentation from our scripts: pages have a size budget; comments took a fifth of it."""
        if name.startswith("js/") and name.endswith(".js"):
            content.seek(0)
            content = ContentFile(jsmin(force_bytes(content.read())))
        return super()._save(name, content)

    def url(self, name: str | None, force: bool = False) -> str:
        """The hashed URL of a file; with DEBUG on, Django would give the plain one."""
        return super().url(name, force=True)
