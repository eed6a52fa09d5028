using ApexShop.Events;

namespace ApexShop.Commands.Api.Users;

internal static class UserRoutes
{
    public static void MapUsers(this IEndpointRouteBuilder app)
    {
        var users = app.MapGroup("/users").WithTags(Resources.Users);
        CreateUser.Map(users);
        UpdateUser.Map(users);
        DeleteUser.Map(users);
    }
}
