// Package release makes an nbgrader course of the notebooks.
package release
