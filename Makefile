# Everything a clone needs is one of these; make help lists them.
.DEFAULT_GOAL := help
.PHONY: help lab setup site test acceptance image-test cluster-test bench bench-gpu doctor lock clean

help: ## list the commands
	@sed -n 's/^\([a-z-]*\):.*## /\1	/p' Makefile | while IFS='	' read -r name what; do printf '  make %-12s %s\n' "$$name" "$$what"; done

lab: setup ## set up what is missing, then open JupyterLab on the notebooks
	@.build/bin/wgslab lab $(ARGS)

setup: ## set up what is missing
	@bash setup/setup.sh

site: ## make the course's page in .build/site, for any file server; wgslab site serves it here
	@bash setup/setup.sh site
	@bash -c 'source setup/lib.sh && use_go && go run ./internal/site/generate $(ARGS)'

test: ## set up what is missing, then check the sources and run the tests: eight minutes
	@bash setup/test.sh

acceptance: ## run the long tests: JupyterLab, browsers, nbgrader, hostile hand-ins, many seeds
	@bash setup/test.sh acceptance

image-test: ## build the container image and try it, as root: by buildah, then under a Docker of its own
	@bash docker/test/image.sh

cluster-test: ## grade a class on a Kubernetes of one node, as root: its parts are built first
	@bash docker/test/cluster.sh

bench: setup ## measure how long a learner waits, in notebooks and then in a page
	@.build/bin/wgslab bench $(ARGS)
	@bash setup/setup.sh test
	@bash -c 'source setup/lib.sh && use_go && go run ./acceptance/pagebench'

bench-gpu: setup ## measure how well the adapter is used, as JSON; tools/pytorch/bench.py measures PyTorch
	@.build/bin/wgslab bench --gpu $(ARGS)

doctor: setup ## show every part and whether it is there
	@.build/bin/wgslab doctor

lock: setup ## lock the Python packages again, the image's and the checkers' too
	@bash setup/lock.sh

clean: ## take away all that set-up made in this folder
	rm -rf .build .venv
