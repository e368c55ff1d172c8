"""What `docker-compose config` does, without the rest of the program: reads the files named, fills in variables from the
environment, checks everything against the schema of compose files, and prints what came out.

Usage: compose-config.py FILE...
"""

import os
import sys

from compose.config import config
from compose.config.environment import Environment
from compose.config.errors import ConfigurationError
from compose.config.serialize import serialize_config

try:
    folder = os.getcwd()
    # The environment alone: a .env that lies here is somebody's, and no part of a check.
    details = config.find(folder, sys.argv[1:], Environment(dict(os.environ)))
    print(serialize_config(config.load(details)))
except ConfigurationError as error:
    sys.exit(error.msg)
