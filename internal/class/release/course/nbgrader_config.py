# nbgrader's settings for this course. nbgrader reads this file when it is started
# in this folder: `nbgrader autograde ASSIGNMENT`.
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
# A learner's files stay with the learner. What counts is what the cells write.
c.CourseDirectory.ignore = [
    ".ipynb_checkpoints", "*.pyc", "__pycache__", "feedback",
    "*.wgsl", "progress.json", "journal.jsonl",
]

# Cells are run in the kernel that `make setup` installs. Where nothing is built
# yet, the first cell compiles all that it imports, WebGPU's C parts too.
c.Execute.kernel_name = "{{.Kernel}}"
c.Execute.timeout = {{.Timeout}}  # seconds for one cell
c.Execute.startup_timeout = 120
c.Execute.iopub_timeout = 60

# Solutions stand between these lines, in WGSL and in Go.
c.ClearSolutions.begin_solution_delimeter = "// BEGIN SOLUTION"
c.ClearSolutions.end_solution_delimeter = "// END SOLUTION"


class Nothing(str):
    """A stub of no lines at all; "" would leave an empty one.

    Above each solution stands what the learner is told: "Your lines go here."
    """

    def split(self, *_):
        return []


c.ClearSolutions.code_stub = {"go": Nothing()}


class OriginalCells(NbGraderPreprocessor):
    """Gives cells the standing that they have in the source, whatever became of
    them: a check that was changed or deleted, an answer or a check that was copied.

    By itself nbgrader stops, for the whole class, at a copied cell, and puts a
    deleted check back with a Python comment in it, which is no Go.
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
                self.log.warning("The check %s was deleted; it is put back at the end", name)
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
    """Tells the kernels that are started from here on that nobody looks: what waits
    for somebody, as lesson 8's page does, ends at once."""

    def preprocess(self, nb, resources):
        os.environ["WGSLAB_UNATTENDED"] = "1"
        return nb, resources


def grade_id(cell):
    known = cell.metadata.get("nbgrader")
    return known.get("grade_id") if isinstance(known, dict) else None


c.Autograde.sanitize_preprocessors = [
    Unattended, OriginalCells, ClearOutput, DeduplicateIds, OverwriteKernelspec, OverwriteCells, CheckCellMetadata,
]
