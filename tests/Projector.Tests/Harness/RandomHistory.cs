using ApexShop.Resources;
using FsCheck;
using FsCheck.Fluent;

namespace ApexShop.Projector.Tests.Harness;

/// <summary>Random histories, with cases that no written test has.</summary>
internal static class RandomHistory
{
    private static readonly string[] statuses = ["Pending", "Delivered", "Cancelled"];

    /// <summary>A history is a list of numbers, each of which is taken apart into one event.</summary>
    public static Arbitrary<int[]> Numbers { get; } =
        Arb.From(Gen.ArrayOf(Gen.Choose(0, 1_000_000)).Resize(70), Shorter);

    public static void Fill(EventHistory history, IEnumerable<int> numbers)
    {
        foreach (var number in numbers) AddEvent(history, Math.Abs(number));
    }

    private static void AddEvent(EventHistory history, int number)
    {
        int Take(int choices)
        {
            var choice = number % choices;
            number /= choices;
            return choice;
        }

        var resource = Resource.Names[Take(Resource.Names.Count)];
        var id = Take(4) + (Take(2) * 498);
        if (Take(6) == 0)
        {
            // Nothing happens to an aggregate that was never there or is gone: ids are not used again.
            if (history.Lives(resource, id)) history.Delete(resource, id);
            return;
        }

        if (history.IsGone(resource, id)) return;
        switch (resource)
        {
            case "categories": history.Category(id, $"Category {Take(3)}"); break;
            case "users": history.User(id, $"First{Take(2)}", $"{(char)('A' + Take(3))}ast"); break;
            case "products": history.Product(id, $"Product {Take(3)}", category: Take(4), stock: Take(2)); break;
            case "reviews": history.Review(id, product: Take(4), user: Take(4), rating: 1 + Take(5)); break;
            case "orders":
                history.Order(id, user: Take(4), statuses[Take(3)], (Take(4), 1 + Take(2), 1.25m), (498, 1, 0.1m));
                break;
            default: throw new InvalidOperationException($"There are no events of {resource}.");
        }
    }

    // A counterexample is shortened by leaving out halves, then single events; smaller numbers would say nothing more.
    private static IEnumerable<int[]> Shorter(int[] numbers)
    {
        if (numbers.Length > 1) yield return numbers[..(numbers.Length / 2)];
        if (numbers.Length > 1) yield return numbers[(numbers.Length / 2)..];
        for (var i = 0; i < numbers.Length; i++) yield return [.. numbers[..i], .. numbers[(i + 1)..]];
    }
}
