<?php

namespace App\Store;

use App\Base;
use function App\helper;

const VERSION = '1';

/**
 * Keeps things.
 */
#[Entity]
abstract class Store extends Base implements Shape
{
    public const LIMIT = 10, MORE = 11;
    private ?string $name = null;

    public function __construct(private int $size) {}

    /** Loads it. */
    #[Pure]
    abstract protected function load(string $path): array;

    public static function make(): static
    {
        $f = function () { return new class { public function run() {} }; };
        return new static(1);
    }
}

interface Shape { public function area(): float; }
trait Draws { public function draw() {} }
enum Mode: string { case Off = 'off'; case On = 'on'; }

function helper($x) { return $x; }
?>
<p>function fake() {}</p>
