"""What nbgrader itself says, as JSON.

    ask_nbgrader.py marks NOTEBOOK...           faults of the cells' nbgrader metadata
    ask_nbgrader.py points GRADEBOOK COURSE     {assignment: {student: {check: [points, maximum]}}}
"""

import json
import sys

import nbformat
from nbgrader.api import Gradebook
from nbgrader.nbgraderformat import MetadataValidator


def marks(*paths):
    faults = []
    for path in paths:
        try:
            MetadataValidator().validate_nb(nbformat.read(path, as_version=4))
        except Exception as error:
            faults.append(f"{path}: {type(error).__name__}: {error}")
    return faults


def points(path, course):
    with Gradebook("sqlite:///" + path, course) as gradebook:
        return {
            assignment.name: {
                submission.student.id: {
                    grade.name: [grade.score, grade.max_score]
                    for notebook in submission.notebooks
                    for grade in notebook.grades
                }
                for submission in assignment.submissions
            }
            for assignment in gradebook.assignments
        }


json.dump({"marks": marks, "points": points}[sys.argv[1]](*sys.argv[2:]), sys.stdout)
