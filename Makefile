# The commands of a clone; make help lists them.
.DEFAULT_GOAL := help
.PHONY: help lab setup site vscode packages archives test hooks acceptance nightly image-test cluster-test bench bench-gpu soak corpus pictures doctor lock clean

help: ## list these commands
	@sed -n 's/^\([a-z-]*\):.*## /\1	/p' Makefile | while IFS='	' read -r name what; do printf '  make %-12s %s\n' "$$name" "$$what"; done

lab: setup ## set up what is missing, then open the lessons in JupyterLab
	@.build/bin/wgslab lab $(ARGS)

setup: ## set up what is missing
	@bash setup/setup.sh

site: ## build the course as a web page in .build/site; wgslab site serves it here
	@bash setup/setup.sh site
	@bash -c 'source setup/lib.sh && use_go && go run ./internal/fronts/page/generate $(ARGS)'

vscode: ## pack the extension for VS Code in dist/
	@bash setup/vscode.sh

packages: ## build the packages for pip and npm in dist/, for this machine
	@bash setup/setup.sh site
	@bash -c 'source setup/lib.sh && use_go && go run ./internal/fronts/page/generate && go run ./setup/packages -here'

archives: ## build a release's archives and packages in dist/, without publishing them
	@bash setup/release.sh snapshot

test: ## check the sources and run the tests: a few minutes
	@bash setup/test.sh

hooks: ## check the format of the sources before each commit
	@git config core.hooksPath setup/hooks

acceptance: ## run the slow tests: JupyterLab, browsers, nbgrader, hostile hand-ins, what changed
	@bash setup/test.sh acceptance

nightly: ## run everything: every test, the image, a class on Kubernetes, a long soak
	@bash setup/nightly.sh

image-test: ## build and try the container image with buildah and Docker (root)
	@bash acceptance/harness/image-test/image.sh

cluster-test: ## grade a class on a one-node Kubernetes that it builds first (root)
	@bash acceptance/harness/cluster-test/cluster.sh

bench: setup ## measure how long a learner waits, in notebooks and in the page
	@.build/bin/wgslab bench $(ARGS) $(if $(ROUNDS),--rounds $(ROUNDS))
	@bash setup/setup.sh test
	@bash -c 'source setup/lib.sh && use_go && go run ./acceptance/harness/pagebench $(if $(ROUNDS),--rounds $(ROUNDS))'

bench-gpu: setup ## measure GPU throughput, as JSON; tools/pytorch/bench.py measures PyTorch
	@.build/bin/wgslab bench --gpu $(ARGS)

soak: setup ## let a class of learners work on this machine for 20 minutes, and find what breaks
	@bash -c 'source setup/lib.sh && use_go && go run ./acceptance/harness/soak $(ARGS)'

corpus: ## compare the front end with tint and naga on any folder of WGSL: FOLDER=…; ARGS=--run runs it
	@bash -c 'source setup/lib.sh && use_go && go run ./acceptance/harness/corpus $(ARGS) $${FOLDER:+"$$FOLDER"}'

pictures: setup ## remake docs/lesson-2.png, which shows a verdict in JupyterLab
	@bash setup/setup.sh test
	@bash -c 'source setup/lib.sh && use_go && go run ./acceptance/harness/screenshot notebooks/02-add.ipynb .build/pictures --wrong vector-add/local-id'
	@mv .build/pictures/02-add-light-1.png "$${TO:-docs}/lesson-2.png"

doctor: setup ## list every part, and how to fix what is missing
	@.build/bin/wgslab doctor

lock: setup ## update the lock files of the Python packages
	@bash setup/lock.sh

clean: ## remove everything that set-up made in this folder
	rm -rf .build .venv
