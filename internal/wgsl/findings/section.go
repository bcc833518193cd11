package findings

import (
	"strings"
	"sync"
)

// Link returns the address of the specification's section with the rule that a kind of finding
// breaks, or "" if there is no single one.
func (k Kind) Link() string {
	if anchor := anchors()[k]; anchor != "" {
		return "https://www.w3.org/TR/WGSL/#" + anchor
	}
	return ""
}

// sections lists the anchor of each section with the kinds of findings that break its rules.
var sections = map[string]string{
	"address-space":                      "bad-space",
	"address-space-layout-constraints":   "uniform-layout",
	"alias-analysis":                     "aliased-pointers",
	"align-attr":                         "bad-align",
	"arithmetic-expr":                    "const-division-by-zero no-power unary-plus",
	"array-types":                        "array-as-value array-brackets array-length bad-index two-indices unsized-value",
	"assignment":                         "assignment-in-condition assignment-in-expression equal-for-assign missing-assignment not-assignable",
	"atomic-types":                       "atomic-access",
	"attributes":                         "attribute-arguments attribute-count attribute-range attribute-type bracket-attribute duplicate-attribute misplaced-attribute unknown-attribute",
	"binding-attr":                       "binding-conflict missing-binding",
	"bit-expr":                           "shift-range",
	"blend-src-attr":                     "bad-blend",
	"break-statement":                    "misplaced-break misplaced-break-if",
	"builtin-attr":                       "builtin-stage builtin-type duplicate-builtin unknown-builtin",
	"comments":                           "unclosed-comment",
	"comparison-expr":                    "comparison-chain",
	"composite-value-decomposition-expr": "index-range no-index no-members",
	"const-assert-statement":             "assertion-failed",
	"const-expr":                         "const-domain const-nan const-overflow const-range",
	"constructible-types":                "not-constructible",
	"continue-statement":                 "misplaced-continue",
	"continuing-statement":               "after-continuing misplaced-continuing",
	"control-flow":                       "condition missing-braces",
	"declaration-and-scope":              "cycle redeclared unknown-name",
	"diagnostics":                        "conflicting-diagnostic filter-conflict unknown-rule unknown-severity",
	"directives":                         "misplaced-directive",
	"early-eval-exprs":                   "not-constant",
	"enable-extensions-sec":              "extension-not-enabled f16-not-enabled unknown-extension unsupported-extension",
	"entry-point-decl":                   "compute-result",
	"enumeration-types":                  "not-an-enumerant",
	"expressions":                        "missing-expression no-value not-a-value",
	"for-statement":                      "comma-in-for for-in for-without-parens",
	"function-calls":                     "argument-count bad-argument call-of-value not-callable",
	"function-declaration-sec":           "bad-parameter bad-result function-in-function missing-arrow missing-fn missing-result recursion",
	"function-restriction":               "entry-call",
	"id-attr":                            "duplicate-id",
	"identifiers":                        "double-underscore keyword-as-name reserved-word underscore",
	"if-statement":                       "else-if else-without-if",
	"increment-decrement":                "increment-in-expression prefix-increment",
	"interpolate-attr":                   "integer-interpolation unknown-interpolation",
	"language-extensions-sec":            "feature-missing unknown-feature unsupported-feature",
	"let-decls":                          "let-mut let-outside",
	"limits":                             "limit-exceeded too-complex too-deep too-large too-many",
	"location-attr":                      "compute-location duplicate-location missing-io",
	"loop-statement":                     "do-while endless-loop loop-endless",
	"memory-access-mode":                 "access-mode read-only",
	"must-use-attr":                      "unused-result",
	"numeric-literals":                   "bad-number number-not-exact number-out-of-range",
	"operator-precedence-associativity":  "mixed-operators",
	"overload-resolution-section":        "bad-arguments bad-operand bad-operands",
	"ref-ptr-types":                      "address-needed no-address no-pointer pointer-argument",
	"return-statement":                   "misplaced-return missing-return unexpected-result",
	"shader-stage-attr":                  "two-stages",
	"size-attr":                          "bad-size",
	"stage-inputs-outputs":               "io-conflict io-type missing-position",
	"statements":                         "missing-statement no-effect unknown-statement",
	"storable-types":                     "bad-store-type",
	"struct-types":                       "empty-struct unknown-member",
	"subgroup-size-attr":                 "subgroup-size",
	"switch-statement":                   "case-without-braces duplicate-case duplicate-default empty-switch misplaced-case missing-case missing-default",
	"template-lists-sec":                 "empty-template missing-template no-template template-count",
	"textual-structure":                  "not-utf-8 nul",
	"tokens":                             "bad-character no-strings",
	"type-checking-section":              "type-mismatch",
	"types":                              "missing-type not-a-type",
	"uniformity":                         "non-uniform-control-flow non-uniform-value",
	"var-and-value":                      "bad-initializer missing-constant missing-initializer",
	"var-decls":                          "declaring-assignment type-before-name",
	"vector-types":                       "bad-swizzle",
	"wgsl-module":                        "misplaced-declaration missing-declaration skipped-declaration statement-outside unknown-declaration",
	"workgroup-size-attr":                "missing-workgroup-size workgroup-size",
}

var anchors = sync.OnceValue(func() map[Kind]string {
	by := map[Kind]string{}
	for anchor, kinds := range sections {
		for _, kind := range strings.Fields(kinds) {
			by[Kind(kind)] = anchor
		}
	}
	return by
})
