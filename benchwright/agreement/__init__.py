"""How far several raters agree: people with each other, with a judge, with the machine's labels."""
