"""Says what Jupyter's own nbformat finds wrong with notebooks: one line each.

Strict: what nbformat would mend with a warning is wrong too.
"""

import sys
import warnings

import nbformat

warnings.simplefilter("error")


def faults(path):
    with open(path, encoding="utf-8") as file:
        text = file.read()
    try:
        notebook = nbformat.reads(text, as_version=nbformat.NO_CONVERT)
        nbformat.validate(notebook)
    except Exception as error:
        yield f"{type(error).__name__}: {error}"
        return
    version = (notebook.nbformat, notebook.nbformat_minor)
    if version != (4, 5):
        yield "nbformat is %d.%d, not 4.5" % version
    if nbformat.writes(notebook) + "\n" != text:
        yield "it is not laid out as Jupyter saves it: the first save in JupyterLab would change other lines than the learner's"


found = [f"{path}: {fault}" for path in sys.argv[1:] for fault in faults(path)]
print("\n".join(found))
sys.exit(1 if found else 0)
