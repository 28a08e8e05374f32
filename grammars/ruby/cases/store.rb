require "json"
require_relative 'local'

# Keeps things.
module Outer
  VERSION = "1.0"

  class Store < Base::Thing
    LIMIT ||= 10
    attr_reader :name

    class << self
      def open(path) = new(path)
    end

    # Makes one.
    def initialize(name)
      @name = name
    end

    def empty?
      text = <<~TEXT
        def fake
        end
      TEXT
      true
    end

    def ==(other) = true
    def self.build; end
    alias size length

    private

    def secret; end
  end
end

class Outer::Late
  def run; end
end
