"""The settings of the clone's JupyterLab."""

import logging

from jupyter_server.serverapp import ServerApp
from tornado.websocket import WebSocketClosedError

c = get_config()  # noqa: F821

c.ServerApp.answer_yes = True
c.ServerApp.jpserver_extensions = {
    "jupyter_lsp": False,
    "nbgrader.server_extensions.assignment_list": False,
    "nbgrader.server_extensions.course_list": False,
    "nbgrader.server_extensions.formgrader": False,
    "nbgrader.server_extensions.validate_assignment": False,
    "notebook": False,
    "notebook_shim": False,
}
c.MultiKernelManager.default_kernel_name = "gonb"
c.LabApp.news_url = None
c.LabApp.check_for_updates_class = "jupyterlab.handlers.announcements.NeverCheckForUpdate"
c.LabApp.custom_css = True


def is_for_the_learner(record):
    """Passes warnings, and the address if JupyterLab would show it nowhere else."""
    message = record.getMessage()
    if record.levelno < logging.WARNING:
        # JupyterLab repeats the address as a warning only if it has made up the token.
        return message.startswith("http") and not ServerApp.instance().identity_provider.token_generated
    # A notebook without outputs has nothing to trust, and JupyterLab warns about its own setting.
    # A page that is closed or loaded again while a cell prints leaves a stream with events.
    harmless = "is not trusted", "websocket_ping_timeout", "Got events for closed stream"
    return not any(words in message for words in harmless)


def is_no_closed_page(record):
    """Passes all but what a page didn't read before it was closed: nobody waits for that."""
    return not (record.exc_info and isinstance(record.exc_info[1], WebSocketClosedError))


logging.getLogger("asyncio").addFilter(is_no_closed_page)


c.Application.log_level = "WARN"
c.ServerApp.log_level = "INFO"  # the address
c.Application.logging_config = {
    "filters": {"learner": {"()": lambda: is_for_the_learner}},
    "handlers": {"console": {"filters": ["learner"]}},
}
