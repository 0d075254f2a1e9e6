"""Checkpoints by their hub id, through huggingface_hub: the offline cache first."""

from pathlib import Path

from majorant.derivation.errors import UnusableInput

_SAFE = ["*.json", "*.safetensors", "1_Pooling/*"]
_PICKLED = ["*.json", "*.bin", "1_Pooling/*"]


def hub_folder(repository: str) -> Path:
    """Folder of a snapshot of `repository` in the local cache, downloaded if it is not there.

    Raises `UnusableInput` if huggingface_hub is missing (it comes with `majorant[hub]`), or the
    repository is neither cached nor reachable.
    """
    try:
        from huggingface_hub import snapshot_download
        from huggingface_hub.errors import LocalEntryNotFoundError
    except ImportError as error:
        raise UnusableInput(
            f"{repository}: not a file or folder here; to look for it on the hub, run "
            "`pip install 'majorant[hub]'`."
        ) from error
    try:
        cached = Path(snapshot_download(repository, local_files_only=True))
        if any(cached.glob("*.safetensors")) or any(cached.glob("*.bin")):
            return cached
    except LocalEntryNotFoundError:
        pass
    except (OSError, ValueError) as error:
        raise UnusableInput(f"{repository}: not a usable hub id ({error}).") from error
    try:
        folder = Path(snapshot_download(repository, allow_patterns=_SAFE))
        if not any(folder.glob("*.safetensors")):
            folder = Path(snapshot_download(repository, allow_patterns=_PICKLED))
    except Exception as error:  # the hub client's errors are many: HTTP, DNS, authentication
        first = str(error).strip().splitlines()[0] if str(error).strip() else repr(error)
        raise UnusableInput(
            f"{repository}: neither a file or folder, nor in the hub's offline cache, and the hub "
            f"could not be asked ({first}). Download it first, or give a folder."
        ) from error
    return folder
