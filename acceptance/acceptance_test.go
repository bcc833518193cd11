// Package acceptance tests the whole product from the learner's side: it runs the notebooks
// in a real GoNB kernel, grades with the real nbgrader, and opens the page and the drawing sheet
// in real browsers.
package acceptance
