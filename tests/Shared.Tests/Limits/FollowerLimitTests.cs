using System.Security.Claims;
using System.Security.Principal;
using ApexShop.Limits;

namespace ApexShop.Shared.Tests.Limits;

public sealed class FollowerLimitTests : IDisposable
{
    private readonly FollowerLimit places = new(5);

    public void Dispose() => places.Dispose();

    [Fact]
    public void One_key_has_half_of_the_places_and_all_keys_have_all_of_them()
    {
        Taken("one").ShouldBe([true, true, false]);
        Taken("two").ShouldBe([true, true, false]);
        Taken("three").ShouldBe([true, false, false]);
    }

    [Fact]
    public void A_place_is_free_when_its_follower_ends()
    {
        using (var only = places.Take(Caller("one")))
        {
            only.IsAcquired.ShouldBeTrue();
            places.HasFollowers.ShouldBeTrue();
        }

        places.HasFollowers.ShouldBeFalse();
        Taken("one").ShouldBe([true, true, false]);
    }

    [Fact]
    public void A_refused_follower_takes_no_place_of_its_key()
    {
        Taken("one");
        Taken("two");
        using (places.Take(Caller("three"))) Taken("four").ShouldBe([false, false, false]);
        Taken("four").ShouldBe([true, false, false]);
    }

    private bool[] Taken(string key) => [.. Enumerable.Range(0, 3).Select(_ => places.Take(Caller(key)).IsAcquired)];

    private static ClaimsPrincipal Caller(string key) => new(new GenericIdentity(key));
}
