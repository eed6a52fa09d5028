using ApexShop.Access;
using ApexShop.Events;

namespace ApexShop.Commands.Api.Users;

internal static class UserRoutes
{
    public static void MapUsers(this IEndpointRouteBuilder app)
    {
        var users = app.MapGroup("/users").WithTags(Resources.Users).RequireScope(Scopes.UsersWrite);
        CreateUser.Map(users);
        BulkCreateUsers.Map(users);
        UpdateUser.Map(users);
        BulkUpdateUsers.Map(users);
        DeleteUser.Map(users);
    }
}
