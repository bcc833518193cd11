# nbgrader's settings for this course. nbgrader reads this file if you start it in
# this folder: `nbgrader autograde ASSIGNMENT`.
import os

from nbformat.v4 import new_code_cell
from nbgrader.api import Gradebook
from nbgrader.preprocessors import (
    CheckCellMetadata,
    ClearOutput,
    DeduplicateIds,
    NbGraderPreprocessor,
    OverwriteCells,
    OverwriteKernelspec,
)

here = os.path.dirname(os.path.abspath(__file__))
c = get_config()

c.CourseDirectory.course_id = "{{.Course}}"
c.CourseDirectory.root = here
c.CourseDirectory.db_url = "sqlite:///" + os.path.join(here, "gradebook.db")
# nbgrader doesn't collect learners' files. Only what the cells write counts.
c.CourseDirectory.ignore = [
    ".ipynb_checkpoints", "*.pyc", "__pycache__", "feedback",
    "progress.json", "journal.jsonl", "example-*.wgsl",
{{- range .Exercises}}
    "{{.ID}}.wgsl",
{{- end}}
]

# Cells run in the kernel that `make setup` installs. In a clone without compiled
# packages, the first cell compiles all its imports, including WebGPU's C code.
c.Execute.kernel_name = "{{.Kernel}}"
c.Execute.timeout = {{.Timeout}}  # seconds for one cell
c.Execute.startup_timeout = 120
c.Execute.iopub_timeout = 60

# Solutions are between these lines, in WGSL and in Go.
c.ClearSolutions.begin_solution_delimeter = "// BEGIN SOLUTION"
c.ClearSolutions.end_solution_delimeter = "// END SOLUTION"


class Nothing(str):
    """A stub without lines; "" would leave an empty line.

    The comment above each solution tells the learner: "Your lines go here."
    """

    def split(self, *_):
        return []


c.ClearSolutions.code_stub = {"go": Nothing()}


class OriginalCells(NbGraderPreprocessor):
    """Restores the grading metadata of the source's cells, even if a student changed
    or deleted a check, or copied an answer or a check.

    Without this, a copied cell stops nbgrader for the whole class. nbgrader also
    restores a deleted check with a Python comment in it, which isn't Go.
    """

    def preprocess(self, nb, resources):
        names = resources["nbgrader"]
        with Gradebook(names["db_url"]) as gradebook:
            notebook = gradebook.find_notebook(names["notebook"], names["assignment"])
            original = {cell.name: cell for cell in notebook.source_cells}
            points = {cell.name: cell.max_score for cell in notebook.grade_cells}
            for cell in reversed(nb.cells):  # the last of several copies counts
                name = grade_id(cell)
                cell.metadata.pop("nbgrader", None)
                if name in original:
                    self.restore(cell, original.pop(name), points.get(name))
            for name in [name for name in original if name in points]:
                self.log.warning("The check %s was deleted; restoring it at the end", name)
                nb.cells.append(self.restore(new_code_cell(), original[name], points[name]))
        return nb, resources

    def restore(self, cell, original, points):
        graded = points is not None
        cell.metadata["nbgrader"] = {
            "schema_version": 3, "grade_id": original.name, "grade": graded,
            "solution": not original.locked, "locked": original.locked, "task": False,
        }
        if graded:
            cell.metadata["nbgrader"]["points"] = points
        if original.locked:
            cell.source = original.source
        return cell


class Unattended(NbGraderPreprocessor):
    """Tells all kernels started from now on that they run unattended. Cells that wait
    for a person, such as lesson 8's page, then end at once."""

    def preprocess(self, nb, resources):
        os.environ["WGSLAB_UNATTENDED"] = "1"
        return nb, resources


def grade_id(cell):
    known = cell.metadata.get("nbgrader")
    return known.get("grade_id") if isinstance(known, dict) else None


c.Autograde.sanitize_preprocessors = [
    Unattended, OriginalCells, ClearOutput, DeduplicateIds, OverwriteKernelspec, OverwriteCells, CheckCellMetadata,
]
