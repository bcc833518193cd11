"""The program wgslab, which comes with this package."""

import os
import sysconfig


def program():
    """Returns the path of the program."""
    name = "wgslab.exe" if os.name == "nt" else "wgslab"
    schemes = [None, sysconfig.get_preferred_scheme("user")]
    for scheme in schemes:
        scripts = sysconfig.get_path("scripts", scheme) if scheme else sysconfig.get_path("scripts")
        path = os.path.join(scripts, name)
        if os.path.isfile(path):
            return path
    raise FileNotFoundError("The program wgslab is missing: install the package again with pip.")
