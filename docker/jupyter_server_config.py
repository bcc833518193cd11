# Settings of the Jupyter server that apply only in a container.
import os

from jupyter_server.serverapp import ServerApp

c = get_config()  # noqa: F821
c.ServerApp.ip = "0.0.0.0"  # publishing the container's port decides who can connect
c.ServerApp.open_browser = False
# Of the printed addresses, only this one opens from outside. jupyter_server 2.21
# always adds the container's name, and a file inside the container.
c.ServerApp.custom_display_url = "http://127.0.0.1:8888"
ServerApp.connect_url = ServerApp.public_url
ServerApp.no_browser_open_file = True

# The file browser starts at the notebooks, if they are below the server's root
# folder.
lessons = os.path.expanduser("~/wgslab")
if os.path.isdir(lessons) and lessons.startswith(os.getcwd() + os.sep):
    c.FileContentsManager.preferred_dir = lessons
