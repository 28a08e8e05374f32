class Keeper:
    def first(self):
        return 1

def broken(a, b:
    text = "def quoted(): pass"
    return a

def after(
    x,
):
    return x

class Last:
    def method(self):
        pass
